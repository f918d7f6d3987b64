import { afterEach } from "bun:test";
import { GlobalRegistrator } from "@happy-dom/global-registrator";

GlobalRegistrator.register({ url: "http://localhost/" });

// Imported after the document exists, because testing-library looks for it when it is loaded.
const { cleanup, configure } = await import("@testing-library/react");
// The default of a second is too short on a machine that does other work as well.
configure({ asyncUtilTimeout: 10_000 });
afterEach(cleanup);
