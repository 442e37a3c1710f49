import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { Mutex } from 'async-mutex'
import { LRUCache } from 'lru-cache'

const THREAD = new URL('./picture-thread.ts', import.meta.url)
/** A drawing that takes longer has failed. */
const LONGEST_MS = 10_000
/** Total bytes of the pictures that are kept; one has about 50 kB. */
const CACHE_BYTES = 4_000_000

/** Draws an SVG as PNG, in a thread that ends with it. */
const draw = async (svg: string): Promise<Buffer<ArrayBuffer>> => {
  const thread = new Worker(THREAD, { workerData: svg })
  try {
    const [png] = await once(thread, 'message', { signal: AbortSignal.timeout(LONGEST_MS) })
    return Buffer.from(png as Uint8Array<ArrayBuffer>)
  } finally {
    await thread.terminate()
  }
}

/** Draws pictures as PNG, one at a time, and keeps the last ones. `countBuild` counts a picture that has to be drawn, and may refuse it. */
export const createPngs = () => {
  const kept = new LRUCache<string, Buffer<ArrayBuffer>>({ maxSize: CACHE_BYTES, sizeCalculation: (png, svg) => png.length + svg.length })
  const turn = new Mutex()
  return async (svg: string, countBuild: () => Promise<void>): Promise<Buffer<ArrayBuffer>> => {
    const known = kept.get(svg)
    if (known !== undefined) return known
    await countBuild()
    return turn.runExclusive(async () => {
      // Another request may have drawn it meanwhile.
      const png = kept.get(svg) ?? (await draw(svg))
      kept.set(svg, png)
      return png
    })
  }
}
