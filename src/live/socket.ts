/** What Bun is told of every socket. A hello is some fifty bytes, and nothing else is ever sent to us; idle is counted in seconds. */
export const liveSocket = { maxPayloadLength: 1_024, idleTimeout: 120 } as const;
