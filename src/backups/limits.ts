/** The steps of a backup, in their order. */
export const steps = ["copying", "checking", "compressing", "sending", "readingBack"] as const;
export type Step = (typeof steps)[number];

/** Where backups are kept; `folder` is on the server's machine. */
export const placeNames = ["folder", "s3"] as const;
export type PlaceName = (typeof placeNames)[number];
