/** The columns of an import and an export, in the order of an export. */
export const columns = [
  "key",
  "game",
  "created",
  "expires",
  "duration_hours",
  "starts",
  "started",
  "paused_at",
  "revoked",
  "device_limit",
  "status",
  "owner",
  "note",
  "devices",
] as const;
export type Column = (typeof columns)[number];
