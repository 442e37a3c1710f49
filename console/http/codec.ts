// The codec server of the Temporal UI: it decrypts payloads for a reader who may see them, by the API.
import type Router from '@koa/router'
import type { Context } from 'koa'
import { isProblem } from '../../client/src/index.ts'
import { readCookie } from '../session/cookie.ts'
import { connectFor } from '../session/open.ts'
import type { Settings } from '../settings.ts'
import { readBody } from './form.ts'

/** The API takes no larger body for this. */
const MOST_BYTES = 1024 * 1024
const DIRECTIONS = ['decode', 'encode'] as const

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

type Payloads = Parameters<ReturnType<ReturnType<typeof connectFor>>['convertPayloads']>[0]['payloads']

/**
 * Serves `/codec/decode` and `/codec/encode` to the origin of the Temporal UI alone, with the cookie of the console: the same site in a browser.
 * Another origin, or a reader who has not signed in, gets nothing. Source: https://docs.temporal.io/production-deployment/data-encryption
 */
export const addCodec = (router: Router, settings: Settings): void => {
  if (settings.TEMPORAL_UI_URL === undefined) return
  const { origin } = new URL(settings.TEMPORAL_UI_URL)
  const allow = (ctx: Context): boolean => {
    ctx.vary('Origin')
    if (ctx.get('origin') !== origin) return false
    ctx.set({
      'access-control-allow-origin': origin,
      'access-control-allow-credentials': 'true',
      'cross-origin-resource-policy': 'cross-origin',
    })
    return true
  }
  for (const direction of DIRECTIONS) {
    const path = `/codec/${direction}`
    router.options(path, (ctx) => {
      ctx.status = allow(ctx) ? 204 : 403
      ctx.set({
        'access-control-allow-methods': 'POST',
        'access-control-allow-headers': 'content-type, x-namespace, caller-type, authorization',
        'access-control-max-age': '600',
      })
    })
    router.post(path, async (ctx) => {
      const refuse = (status: number): void => {
        ctx.status = status
        ctx.body = ''
      }
      if (!allow(ctx)) return refuse(403)
      const token = readCookie(ctx.get('cookie'))
      if (token === undefined) return refuse(401)
      const body = parseJson(await readBody(ctx, MOST_BYTES)) as { payloads?: Payloads } | null | undefined
      if (!Array.isArray(body?.payloads)) return refuse(400)
      try {
        ctx.body = await connectFor(ctx, settings)(token).convertPayloads({ direction, payloads: body.payloads })
      } catch (error) {
        if (!isProblem(error)) throw error
        refuse(error.status)
      }
    })
  }
}
