// Search in pages that were opened from the disk, without a server.
//
// The search runs in a worker, which browsers refuse to pages of file://. There, a hidden frame
// takes its place: the worker's script runs in it, and messages go to and fro as events.

class IFrameWorker extends EventTarget {
  constructor(address) {
    super()
    const frame = document.createElement("iframe")
    frame.hidden = true
    document.body.append(frame)
    this.inside = frame.contentWindow
    this.inside.postMessage = (data) => this.dispatchEvent(new MessageEvent("message", { data }))
    this.ready = new Promise((resolve, reject) => {
      const script = this.inside.document.createElement("script")
      script.src = new URL(address, location.href).href
      script.onload = resolve
      script.onerror = reject
      this.inside.document.body.append(script)
    })
  }

  postMessage(data) {
    this.ready.then(() => this.inside.dispatchEvent(new MessageEvent("message", { data })))
  }
}

if (location.protocol === "file:") {
  window.IFrameWorker = IFrameWorker // the search asks for it by this name
  window.Worker = IFrameWorker
}
