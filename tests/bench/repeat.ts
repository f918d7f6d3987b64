/** Sends these requests one after another until it is killed, while verification is measured. */
export interface RepeatOrder {
  url: string;
  cookie: string;
  method?: string;
  paths: string[];
}

const { url, cookie, method = "GET", paths }: RepeatOrder = JSON.parse(process.argv[2] as string);
for (;;) {
  for (const path of paths) {
    const response = await fetch(url + path, { method, headers: { cookie } });
    if (!response.ok) throw new Error(`${path} returned ${response.status}: ${await response.text()}`);
    for await (const _ of response.body ?? []);
  }
}
