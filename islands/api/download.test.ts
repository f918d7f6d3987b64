import { afterEach, expect, test } from "bun:test";
import { download } from "./download.ts";
import { restoreFetch, stubFetch } from "./fetch-stub.ts";

afterEach(restoreFetch);

test("a download has the server's name, else the caller's, and reports its progress", async () => {
  const progress: number[] = [];
  const headers = { "content-disposition": 'attachment; filename="backup.zip"', "content-type": "application/zip" };
  const { responses } = stubFetch({ "GET /api/admin/backup/download-all": () => new Response("12345", { headers }) });
  const onProgress = (bytes: number) => progress.push(bytes);
  const fallbackName = "fallback.json";
  const file = await download("GET /api/admin/backup/download-all", { fallbackName, onProgress });
  expect([file.filename, await file.blob.text(), progress.at(-1)]).toEqual(["backup.zip", "12345", 5]);
  responses["GET /api/admin/backup/download-all"] = () => new Response("1");
  expect((await download("GET /api/admin/backup/download-all", { fallbackName })).filename).toBe("fallback.json");
});
