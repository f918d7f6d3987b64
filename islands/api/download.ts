import { send } from "./api.ts";
import type { FileCall, PartsOf } from "./contract.ts";

export interface Download {
  blob: Blob;
  /** From the content-disposition header, else the fallback. */
  filename: string;
}

interface DownloadOptions {
  fallbackName: string;
  /** Gets the number of bytes received. */
  onProgress?: (bytes: number) => void;
}

/** Fetches a file; `saveAs` hands it to the browser. */
export async function download<Name extends FileCall>(
  name: Name,
  { fallbackName, onProgress = () => {}, ...sent }: DownloadOptions & PartsOf<Name>,
): Promise<Download> {
  const response = await send(name, sent);
  const chunks: BlobPart[] = [];
  let bytes = 0;
  for (const reader = response.body?.getReader(); reader; ) {
    const { done, value } = await reader.read();
    if (done) break;
    chunks.push(value);
    bytes += value.length;
    onProgress(bytes);
  }
  const type = response.headers.get("content-type") ?? "application/octet-stream";
  return {
    blob: new Blob(chunks, { type }),
    filename: filenameIn(response.headers.get("content-disposition")) ?? fallbackName,
  };
}

function filenameIn(disposition: string | null): string | null {
  const encoded = disposition?.match(/filename\*=UTF-8''([^;]+)/i)?.[1];
  if (encoded) return decodeURIComponent(encoded);
  return disposition?.match(/filename="?([^";]+)"?/i)?.[1] ?? null;
}
