import { appConfig } from "../../app.config.ts";

export default appConfig("workflow-builder");
