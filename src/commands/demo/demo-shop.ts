import { createHmac } from "node:crypto";
import type { Place } from "../../accounts/account-store.ts";
import type { PersonCaller } from "../../accounts/audited-changes.ts";
import { createWrongPasswords } from "../../accounts/passwords/wrong-passwords.ts";
import { createTwoFactor } from "../../accounts/two-factor/two-factor.ts";
import { durationOf } from "../../catalogue/store.ts";
import type { RandomBytes } from "../../core/random.ts";
import { createSales } from "../../shop-links/sales.ts";
import { presets } from "../../shop-links/shop-link-form.ts";
import { createShopLinks } from "../../shop-links/shop-links.ts";

type Services = Parameters<typeof createSales>[0] &
  Parameters<typeof createWrongPasswords>[0] & { randomBytes: RandomBytes };

/** Of two-factor, which the seller does not use. */
const unused = { wallClock: () => 0, issuer: "" };

/** How many keys each buyer wants. The last wants more than a sale may have. */
const quantities = [1, 3, 12];

/** Links a seller's shop and sells for it. `pass` moves the clock before each sale. */
export async function addShop(services: Services, seller: PersonCaller & Place, password: string, pass: () => void) {
  const twoFactor = createTwoFactor({ ...services, ...unused, wrongPasswords: createWrongPasswords(services) });
  const durationId = (await durationOf(services.database.read, { hours: 720 }))?.id ?? 0;
  const sold = { game: "FREE FIRE", durationId, deviceLimit: 1, starts: "first_use", ...presets.sellauth } as const;
  const shopLinks = createShopLinks({ ...services, twoFactor });
  const { url, secret } = await shopLinks.create(seller, { name: "SellAuth", ...sold, password }, "");
  const sales = createSales(services);
  for (const [index, quantity] of quantities.entries()) {
    pass();
    const body = JSON.stringify({ unique_id: `8e32b8f24c4a0-${10042 + index}`, item: { id: 30051, quantity } });
    const signature = createHmac("sha256", secret).update(body).digest("hex");
    const call = { headers: new Headers({ "X-Signature": signature }), readBody: async () => Buffer.from(body) };
    await sales.sell(url.slice(-24), { ...call, origin: seller }).catch(() => {});
  }
  await sales.write();
}
