// Sells, renews and refunds keys for a shop, with Node 18 or newer:
//   LATCHKEY=https://keys.example.com SHOP_KEY=lk_… node shop.mjs sell INV-2025-0042
const { LATCHKEY, SHOP_KEY } = process.env;

/** Without a response, sends the same call again, for a minute. An `externalId` is never charged twice. */
async function call(path, body = {}) {
  for (const end = Date.now() + 60_000; ; ) {
    const response = await fetch(`${LATCHKEY}/api/reseller/${path}`, {
      method: "POST",
      headers: { Authorization: `Bearer ${SHOP_KEY}`, "Content-Type": "application/json" },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(10_000),
    }).catch(() => null);
    const text = response ? await response.text().catch(() => null) : null;
    const isFinal = text !== null && response.status < 500 && response.status !== 429;
    const waitMs = 1_000 * Number(response?.headers.get("Retry-After") ?? 1);
    // Past the minute, keep the call and send it later.
    if (isFinal || Date.now() + waitMs > end) return { status: response?.status ?? 0, text };
    await new Promise((resolve) => setTimeout(resolve, waitMs));
  }
}

const verbs = {
  // Deliver `keys[0].keyString`, and keep `keys[0].id` for renewals and refunds.
  sell: (externalId) =>
    call("keys/generate", { game: "PUBG MOBILE", deviceLimit: 1, days: 30, starts: "first_use", count: 1, externalId }),
  renew: (externalId, id) => call(`keys/${id}/extend`, { days: 30, externalId }),
  // A 409 KEY_ALREADY_REVOKED means that it is done.
  refund: (_invoice, id) => call(`keys/${id}/revoke`),
};

const [verb, invoice, id] = process.argv.slice(2);
const { status, text } = await verbs[verb](invoice, id);
console.log(text ?? "There was no response.");
process.exitCode = status >= 200 && status < 300 ? 0 : 1;
