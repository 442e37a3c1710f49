import { promisify } from 'node:util'
import { constants, gzip as gzipWithCallback } from 'node:zlib'
import type { Context, Middleware } from 'koa'

const gzip = promisify(gzipWithCallback)

/** Shorter bodies are sent as they are. */
const MIN_BYTES = 1_025
const TEXT = /^(?:text\/|application\/(?:[\w.-]+\+)?json)/
/** Bodies that are kept and sent again are compressed once. */
const kept = new WeakMap<Buffer, Promise<Buffer>>()

/** The fastest level: on JSON it saves nearly as much as the others. */
const compress = (body: string | Buffer): Promise<Buffer> => gzip(body, { level: constants.Z_BEST_SPEED })

const compressOnce = (body: string | Buffer): Promise<Buffer> => {
  if (typeof body === 'string') return compress(body)
  const made = kept.get(body) ?? compress(body)
  kept.set(body, made)
  return made
}

const bodyOf = (ctx: Context): string | Buffer | null => {
  const { body } = ctx
  if (typeof body !== 'string' && !Buffer.isBuffer(body)) return null
  return TEXT.test(ctx.type) && Buffer.byteLength(body) >= MIN_BYTES ? body : null
}

/**
 * Compresses the body of a finished answer when the client accepts it. The compressed form is another representation, so its ETag is weak and
 * every answer varies by `Accept-Encoding`. A `HEAD` gets the headers of its `GET`.
 */
export const compression = (): Middleware => async (ctx, next) => {
  ctx.vary('Accept-Encoding')
  await next()
  const body = bodyOf(ctx)
  if (body === null || ctx.acceptsEncodings('gzip', 'identity') !== 'gzip') return
  ctx.body = await compressOnce(body)
  ctx.set('content-encoding', 'gzip')
  const etag = ctx.res.getHeader('etag')
  if (typeof etag === 'string' && etag.startsWith('"')) ctx.set('etag', `W/${etag}`)
}
