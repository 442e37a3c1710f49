import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { LRUCache } from 'lru-cache'
import { ServiceError } from '../../schemas/errors.ts'
import type { RequestFacts } from '../../schemas/operations/operation.ts'

const PROGRAM = fileURLToPath(new URL('./picture-process.ts', import.meta.url))
/** A drawing that takes longer is killed, and has failed. */
const LONGEST_MS = 10_000
/** A picture that is larger is refused; one has about 50 kB. */
const MOST_BYTES = 1_000_000
/** Pictures that may wait for the one that is drawn. */
const MOST_WAITING = 8
const RETRY_SECONDS = 5
/** Total bytes of the pictures that are kept. */
const CACHE_BYTES = 4_000_000

type Png = Buffer<ArrayBuffer>

/** Draws an SVG as PNG, in a process that ends with it and gets no environment, so no secret. */
const draw = async (svg: string, longestMs: number): Promise<Png> => {
  const limits = { timeout: longestMs, killSignal: 'SIGKILL', maxBuffer: MOST_BYTES } as const
  const ended = promisify(execFile)(process.execPath, [PROGRAM], { ...limits, env: {}, encoding: 'buffer' })
  // A process that ends early reads nothing; how it ended is the error.
  ended.child.stdin?.on('error', () => undefined).end(svg)
  return Buffer.from((await ended).stdout)
}

const tooMany = (): ServiceError =>
  new ServiceError('too_many_waits', {
    reason: 'service',
    detail: 'Too many pictures wait to be drawn.',
    retryAfterSeconds: RETRY_SECONDS,
    nextActions: [{ kind: 'wait', description: 'Repeat after Retry-After.' }],
  })

/** A picture that requests wait for. */
interface Drawing {
  png: PromiseWithResolvers<Png>
  requests: number
  isStarted: boolean
}

/**
 * Draws pictures as PNG, one at a time, and keeps the last ones. Requests of one picture share its drawing. `countBuild` counts a request that
 * starts a drawing, and may refuse it. A picture leaves the queue when all its requests have gone.
 */
export const createPngs = ({ longestMs = LONGEST_MS } = {}) => {
  const kept = new LRUCache<string, Png>({ maxSize: CACHE_BYTES, sizeCalculation: (png, svg) => png.length + svg.length })
  /** By SVG, in their order: the first is drawn. */
  const drawings = new Map<string, Drawing>()

  /** Draws what waits, also what comes meanwhile. */
  const drawAll = async (): Promise<void> => {
    for (const [svg, drawing] of drawings) {
      drawing.isStarted = true
      try {
        const png = await draw(svg, longestMs)
        kept.set(svg, png)
        drawing.png.resolve(png)
      } catch (error) {
        drawing.png.reject(error)
      }
      drawings.delete(svg)
    }
  }

  const add = (svg: string): Drawing => {
    if (drawings.size > MOST_WAITING) throw tooMany()
    const drawing = { png: Promise.withResolvers<Png>(), requests: 0, isStarted: false }
    drawings.set(svg, drawing)
    if (drawings.size === 1) void drawAll()
    return drawing
  }

  const join = (svg: string, drawing: Drawing, signal: AbortSignal): Promise<Png> => {
    const leave = (): void => {
      drawing.requests -= 1
      if (drawing.isStarted || drawing.requests > 0) return
      drawings.delete(svg)
      drawing.png.reject(tooMany())
    }
    drawing.requests += 1
    if (signal.aborted) leave()
    else signal.addEventListener('abort', leave, { once: true })
    return drawing.png.promise
  }

  return async (svg: string, { countBuild, signal }: Pick<RequestFacts, 'countBuild' | 'signal'>): Promise<Png> => {
    if (!kept.has(svg) && !drawings.has(svg)) await countBuild()
    // Another request may have drawn it meanwhile.
    return kept.get(svg) ?? join(svg, drawings.get(svg) ?? add(svg), signal)
  }
}
