import "@quintain/kit/theme.css";
import { start } from "@quintain/kit";

start(<p>Workflow Builder</p>);
