import { appConfig } from "../../app.config";

export default appConfig("workflow-builder");
