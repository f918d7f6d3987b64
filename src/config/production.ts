/**
 * Libraries read NODE_ENV while they are loaded, so `main.ts` imports this before everything else. The default is
 * production.
 */
Bun.env.NODE_ENV ||= "production";
