/** Radix's dialogs come with the first press that may open one, and not with the page. */
export const importKeyDetails = () => import("./key-details.tsx");
export const importRevocation = () => import("./revocation.tsx");
