import "@quintain/kit/theme.css";
import "@xyflow/react/dist/base.css";
import "./view/app.css";
import { start } from "@quintain/kit";
import { App } from "./view/App";

start(<App />);
