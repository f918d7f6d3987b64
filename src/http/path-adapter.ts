import type { ElysiaAdapter } from "elysia/adapter";
import { BunAdapter } from "elysia/adapter/bun";

/** How Elysia 1.4.30 looks for where the path begins, once a host may be as short as it likes: right for http, and never for https. */
const atFixedPlace = "indexOf('/',7)";
const behindScheme = "indexOf('/',u.indexOf('//')+2)";

/** Elysia's own adapter for Bun, which finds the path of an https address too where Bun's router has not: what waits, or is answered beside Elysia. */
export const pathAdapter: ElysiaAdapter = {
  ...BunAdapter,
  composeGeneralHandler: {
    ...BunAdapter.composeGeneralHandler,
    createContext(app) {
      const code = BunAdapter.composeGeneralHandler.createContext(app);
      if (!code.includes(atFixedPlace)) throw new Error("This Elysia reads the path of an address in another way.");
      return code.replace(atFixedPlace, behindScheme);
    },
  },
};
