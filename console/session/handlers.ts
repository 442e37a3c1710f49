import type { Context } from 'koa'
import { isProblem } from '../../client/src/index.ts'
import type { html } from '../../pages/html.ts'
import { Refusal } from '../http/failures.ts'
import { readForm } from '../http/form.ts'
import type { Settings } from '../settings.ts'
import { dropCookie, keepCookie, readCookie } from './cookie.ts'
import { type Connect, connectFor } from './open.ts'
import { messagePage, signInPage } from './pages.ts'

/** Answers with a page before the sign-in. */
type Answer = (ctx: Context, page: { title: string; lead: string; body: ReturnType<typeof html> }) => Promise<void>

/** Where a reader goes after the sign-in: a path of the console, never another site. */
export const nextPath = (wanted: string | undefined): string => {
  if (wanted === undefined || !/^\/(?![/\\])/.test(wanted)) return '/'
  const url = URL.parse(wanted, 'https://console.invalid')
  // A path such as `/.//host` is one of another site once its dots are resolved.
  const isOwn = url?.host === 'console.invalid' && !url.pathname.startsWith('//') && !url.pathname.startsWith('/sign-')
  return isOwn ? url.pathname + url.search : '/'
}

const SIGN_IN = {
  title: 'Sign in',
  lead: 'Your wallet signs one message. It costs nothing, moves no money, and no key leaves the wallet.',
}

/** A message that names this console, which a wallet compares with the page; or one that names the API, where the API does not know the console. */
const issueMessage = async (connect: Connect, settings: Settings, wallet: string) => {
  const client = connect()
  try {
    return await client.issueNonce({ wallet, domain: new URL(settings.url).host })
  } catch (error) {
    if (!isProblem(error, 'invalid_request') || !error.errors.some(({ pointer }) => pointer === '/domain')) throw error
    return client.issueNonce({ wallet })
  }
}

/** Sign-in and its end. The token stands in a cookie that no script reads; the console keeps nothing. */
export const createSignIn = (settings: Settings, now: () => Promise<number>, answer: Answer) => {
  const signIn = async (ctx: Context, token: string, expiresAt: string, next: string | undefined): Promise<void> => {
    ctx.append('set-cookie', keepCookie(token, (Date.parse(expiresAt) - (await now())) / 1000))
    ctx.status = 303
    ctx.set('location', nextPath(next))
  }

  return {
    show: (ctx: Context) => answer(ctx, { ...SIGN_IN, body: signInPage(nextPath(String(ctx.query.next ?? '/'))) }),

    issueMessage: async (ctx: Context): Promise<void> => {
      const { wallet = '', next } = await readForm(ctx, settings.url)
      const { message, chainId } = await issueMessage(connectFor(ctx, settings), settings, wallet.trim())
      await answer(ctx, {
        ...SIGN_IN,
        title: 'Sign the message',
        body: messagePage({ message, wallet: wallet.trim(), chainId, next: nextPath(next) }),
      })
    },

    verify: async (ctx: Context): Promise<void> => {
      const { message = '', signature = '', next } = await readForm(ctx, settings.url)
      const { token, expiresAt } = await connectFor(ctx, settings)().verifySignature({ message, signature: signature.trim() })
      await signIn(ctx, token, expiresAt, next)
    },

    takeToken: async (ctx: Context): Promise<void> => {
      const { token = '', next } = await readForm(ctx, settings.url)
      const given = token.trim().replace(/^Bearer\s+/i, '')
      if (!/^[A-Za-z0-9._~+/=-]{1,4000}$/.test(given)) throw new Refusal(400, 'This text is no token.')
      const { expiresAt } = await connectFor(ctx, settings)(given).getAuthSession()
      await signIn(ctx, given, expiresAt, next)
    },

    /** Ends the sign-in at the API too, so that a copy of the token is worth nothing. A service token lives on: it belongs to its service. */
    end: async (ctx: Context): Promise<void> => {
      await readForm(ctx, settings.url)
      const token = readCookie(ctx.get('cookie'))
      ctx.append('set-cookie', dropCookie())
      if (token !== undefined) {
        const client = connectFor(ctx, settings)(token)
        const ended = async (): Promise<void> => {
          if ((await client.getAuthSession()).tokenKind === 'wallet') await client.logout()
        }
        await ended().catch((error: unknown) => {
          if (!isProblem(error) || error.status !== 401) throw error
        })
      }
      ctx.status = 303
      ctx.set('location', '/sign-in')
    },
  }
}
