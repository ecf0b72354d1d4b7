import { render } from "preact";
import "@sabaki/shudan/css/goban.css";
import "uplot/dist/uPlot.min.css";
import "./style/page.css";
import "./style/pieces.css";
import "./style/inside.css";
import "./style/laboratory.css";
import "./style/board.css";
import "./style/narrow.css";
import { App } from "./App";

render(<App />, document.getElementById("app")!);
