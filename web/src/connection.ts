// The WebSocket of a page: it comes back by itself, and then asks for its game again.

import type { FromPage, ToPage } from "./messages";

const FIRST_WAIT = 300;
const LONGEST_WAIT = 5000;

export class Connection {
  private socket: WebSocket | null = null;
  private wait = FIRST_WAIT;

  constructor(
    private readonly heard: (message: ToPage) => void,
    private readonly opened: () => void,
    private readonly closed: () => void,
  ) {
    this.open();
  }

  private open(): void {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}/ws`);
    this.socket = socket;
    socket.onopen = () => {
      this.wait = FIRST_WAIT;
      this.opened();
    };
    socket.onmessage = (event) => this.heard(JSON.parse(event.data as string) as ToPage);
    socket.onclose = () => {
      this.closed();
      setTimeout(() => this.open(), this.wait);
      this.wait = Math.min(this.wait * 2, LONGEST_WAIT);
    };
  }

  /** Send a message; false if nobody would hear it. */
  say(message: FromPage): boolean {
    if (this.socket?.readyState !== WebSocket.OPEN) return false;
    this.socket.send(JSON.stringify(message));
    return true;
  }
}
