import { appConfig } from "../../app.config";

export default appConfig("circuit-designer");
