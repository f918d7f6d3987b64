import { describe, expect, test } from "bun:test";
import { join } from "node:path";

interface Service {
  image?: string;
  build?: string;
  mem_limit?: string;
  read_only?: boolean;
  cap_drop?: string[];
  cap_add?: string[];
  security_opt?: string[];
}

const root = join(import.meta.dir, "../..");

async function servicesIn(file: string): Promise<[string, Service][]> {
  const { services } = Bun.YAML.parse(await Bun.file(join(root, file)).text()) as { services: Record<string, Service> };
  return Object.entries(services);
}

const services = [...(await servicesIn("compose.yaml")), ...(await servicesIn("compose.scale.yaml"))];

test("the compose files have these containers", () => {
  expect(services.map(([name]) => name)).toEqual(["latchkey", "latchkey-1", "latchkey-2", "database", "proxy"]);
});

describe("a container is built here or has a fixed version, and has bounded memory and no right that it does not need:", () => {
  test.each(services)("%s", (name, service) => {
    if (!service.build) expect(service.image).toMatch(/:\d+\.\d+/);
    expect(service.mem_limit).toMatch(/^\d+[gm]$/);
    expect(service.read_only).toBe(true);
    expect([service.cap_drop, service.security_opt]).toEqual([["ALL"], ["no-new-privileges:true"]]);
    expect(service.cap_add).toEqual(name === "proxy" ? ["NET_BIND_SERVICE"] : undefined);
  });
});
