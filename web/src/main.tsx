import { render } from "preact";
import "@sabaki/shudan/css/goban.css";
import "uplot/dist/uPlot.min.css";
import "./style.css";
import "./board.css";
import { App } from "./App";

render(<App />, document.getElementById("app")!);
