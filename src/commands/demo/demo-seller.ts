import { createHmac } from "node:crypto";
import { insertAccount, type Place } from "../../accounts/account-store.ts";
import type { PersonCaller } from "../../accounts/audited-changes.ts";
import type { Passwords } from "../../accounts/passwords/passwords.ts";
import { createWrongPasswords } from "../../accounts/passwords/wrong-passwords.ts";
import { insertStaff } from "../../accounts/staff/staff-store.ts";
import { createTwoFactor } from "../../accounts/two-factor/two-factor.ts";
import { durationOf } from "../../catalogue/store.ts";
import type { RandomBytes } from "../../core/random.ts";
import { createBlockedDevices } from "../../keys/blocks/blocked-devices.ts";
import { createSales } from "../../shop-links/sales.ts";
import { presets } from "../../shop-links/shop-link-form.ts";
import { createShopLinks } from "../../shop-links/shop-links.ts";

type Services = Parameters<typeof createSales>[0] &
  Parameters<typeof createWrongPasswords>[0] & { randomBytes: RandomBytes; passwords: Passwords };

interface Sold {
  services: Services;
  seller: PersonCaller & Place;
  password: string;
  /** Moves the clock before each sale. */
  pass: () => void;
}

/** What a seller has besides keys: a helper, a shop link with sales, and a blocked device. */
export async function addSellersOwn({ helper, ...sold }: Sold & { helper: string }): Promise<void> {
  await addHelper(sold, helper);
  await addShop(sold);
  const block = { deviceId: "f2c7e1a09b4d86-tablet", reason: "Chargeback" };
  await createBlockedDevices(sold.services).block(sold.seller, block);
}

/** A staff account, which looks after the keys. */
async function addHelper({ services: { changes, passwords }, seller, password }: Sold, username: string) {
  const passwordHash = await passwords.hash(password, { lane: "known", person: String(seller.id) });
  await changes.carryOut(seller, async ({ sql }, at) => {
    const { id: ownerId, role } = seller;
    const rights = "keys:read keys:manage";
    const id = await insertAccount(sql, { role, username, passwordHash, at });
    if (id !== null) await insertStaff(sql, { id, role, ownerId, rights, limitPerDayTenths: null });
    return { result: undefined, record: { action: "staff_created", target: `staff ${username}`, details: { rights } } };
  });
}

/** Of two-factor, which the seller does not use. */
const unused = { wallClock: () => 0, issuer: "" };

/** How many keys each buyer wants. The last wants more than a sale may have. */
const quantities = [1, 3, 12];

async function addShop({ services, seller, password, pass }: Sold) {
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
