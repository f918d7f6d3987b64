/** The columns of an export, in their order. */
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
