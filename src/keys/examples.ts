/** The key that /swagger shows, as each kind of caller sees it. */
const common = {
  id: 7,
  keyString: "PBGM-A1B2C-D3E4F-G5H6I",
  game: "PUBG MOBILE",
  status: "ACTIVE",
  createdAt: "2025-03-05T14:30:00.000Z",
  expiryDate: "2025-04-04T14:30:00.000Z",
  deviceLimit: 2,
  orderId: 12,
  note: "For the summer tournament",
};
const device = { id: 3, deviceId: "a3f1c9d2-phone", firstConnected: "2025-03-06T08:00:00.000Z" };

export const exampleResellerKey = { ...common, devices: 1 };
export const exampleResellerKeyDetail = { ...common, deviceCount: 1, devices: [device] };
export const exampleAdminKey = { ...common, deviceCount: 1, isRevoked: false, daysRemaining: 30 };
export const exampleAdminKeyDetail = {
  ...exampleAdminKey,
  createdBy: "night.owl",
  owner: "night.owl",
  revokedAt: null,
  revokedBy: null,
  devices: [device],
  history: [
    { at: device.firstConnected, what: "DEVICE_CONNECTED", by: null, deviceId: device.deviceId },
    { at: common.createdAt, what: "CREATED", by: "night.owl", deviceId: null },
  ],
};
