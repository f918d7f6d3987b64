import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

/** Above this size brotli's best quality takes seconds and saves next to nothing. */
const bestEffortBytesMax = 500_000;
const compressWithBrotli = promisify(brotliCompress);
const compressWithGzip = promisify(gzip);

/** A name that changes with the content, so that the file may be cached for ever. */
export function hashedName(name: string, extension: string, content: Uint8Array): string {
  return `${name}-${Bun.hash(content).toString(36).toUpperCase()}.${extension}`;
}

/** Writes a file uncompressed, as `.br` and as `.gz`. A font is compressed already. */
export async function compressInto(folder: string, name: string, content: Uint8Array): Promise<void> {
  if (name.endsWith(".woff2")) return void (await Bun.write(join(folder, name), content));
  const quality = content.length > bestEffortBytesMax ? 8 : constants.BROTLI_MAX_QUALITY;
  const [brotli, gzipped] = await Promise.all([
    compressWithBrotli(content, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } }),
    compressWithGzip(content, { level: constants.Z_BEST_COMPRESSION }),
  ]);
  await Promise.all([
    Bun.write(join(folder, name), content),
    Bun.write(join(folder, `${name}.br`), brotli),
    Bun.write(join(folder, `${name}.gz`), gzipped),
  ]);
}
