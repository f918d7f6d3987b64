/**
 * Libraries ask for NODE_ENV while they are loaded: so `main.ts` imports this before everything else. It runs as in production unless
 * it is told otherwise, also as the executable, whose environment says nothing.
 */
Bun.env.NODE_ENV ||= "production";
