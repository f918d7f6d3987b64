/** For rows of keys whose time began when they were created. */
export const startedRow = { isFirstUse: 0, startedAt: 0, durationHours: null, pausedAt: null, replacedBy: null };

/** The same as calls return it. */
export const startedKey = {
  starts: "creation" as const,
  durationHours: 720,
  startedAt: "2025-03-05T14:30:00.000Z",
  pausedAt: null,
  replacedBy: null,
};

/** For orders of such keys. */
export const startedOrder = {
  kind: "generated" as const,
  starts: "creation" as const,
  durationHours: 720,
  undoneAt: null,
};

/** In a preview of a selection. */
export const noRefund = { refund: 0, isRefundHeld: false };

/** In the detail of a key. */
export const noKeyRefund = { ...noRefund, noRefund: "OFF" as const, refundDays: 0 };
