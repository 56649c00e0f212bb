import { opening, start } from "@quintain/kit";
import "@quintain/kit/theme.css";
import "./app.css";
import { Editor } from "./editor/editor";
import { blank } from "./model/document";
import { readValue } from "./model/read";
import { App } from "./ui/App";

const read = readValue(opening(blank()).document);
const editor = new Editor("document" in read ? read.document : blank());

start(<App editor={editor} />);
