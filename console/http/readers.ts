import type { Context } from 'koa'
import type { Logger } from 'pino'
import { isProblem } from '../../client/src/index.ts'
import { html } from '../../pages/html.ts'
import type { ServiceClock } from '../clock.ts'
import { type Frame, layout } from '../look/layout.ts'
import { address } from '../look/values.ts'
import { PAGES } from '../pages/all.ts'
import { dropCookie, keepCookie, readCookie } from '../session/cookie.ts'
import { connectFor, openSession } from '../session/open.ts'
import type { Settings } from '../settings.ts'
import type { Page, View } from '../view.ts'
import { isPartial, placeOf, queryOf, redirect, sendHtml } from './answers.ts'
import { describeFailure } from './failures.ts'

/** What every route needs. */
export interface RouteDeps {
  settings: Settings
  logger: Logger
  clock: ServiceClock
  readers: Readers
  /** Aborts the streams when the process ends. */
  ending: AbortSignal
}

/** Pages that a reader has: those whose operations the API allows. */
export const pagesOf = ({ access }: Pick<View, 'access'>): Page[] => PAGES.filter(({ operations }) => operations.every(access.may))

const toSignIn = (ctx: Context): void => {
  ctx.append('set-cookie', dropCookie())
  redirect(ctx, address('/sign-in', { next: placeOf(ctx) }))
}

type Readers = ReturnType<typeof createReaders>

/** Opens the sign-in of a request, and shows pages and failures to its reader. */
export const createReaders = ({ settings, logger, clock }: Pick<RouteDeps, 'settings' | 'logger' | 'clock'>) => {
  /** A page in the frame of the console. */
  const frameOf = async (
    ctx: Context,
    view: View | null,
    more: Pick<Frame, 'title' | 'lead' | 'body' | 'live'> & Partial<Frame>,
  ): Promise<string> =>
    layout({
      pages: view === null ? [] : pagesOf(view),
      path: ctx.path,
      reader: view?.access ?? null,
      now: view?.now ?? (await clock.now()),
      address: ctx.url,
      movesTime: view !== null && clock.move !== undefined && view.access.may('getAdminStatus'),
      ...more,
    })

  /** The view of who has signed in. Null after a redirect to the sign-in. */
  const openView = async (ctx: Context): Promise<View | null> => {
    const token = readCookie(ctx.get('cookie'))
    if (token === undefined) {
      toSignIn(ctx)
      return null
    }
    const now = await clock.now()
    try {
      const { client, access, renewed } = await openSession(connectFor(ctx, settings), token, now)
      if (renewed) ctx.append('set-cookie', keepCookie(renewed.token, (Date.parse(renewed.expiresAt) - now) / 1000))
      return { client, access, settings, path: ctx.path, query: queryOf(ctx), now }
    } catch (error) {
      if (!isProblem(error) || error.status !== 401) throw error
      toSignIn(ctx)
      return null
    }
  }

  /** Shows what failed: in the frame of the console, or beside the content of a page that asked for an update. */
  const showFailure = async (ctx: Context, view: View | null, error: unknown): Promise<void> => {
    const failure = describeFailure(error)
    // A second click takes the request of the first one back: that is no failure of the console.
    if (failure.status >= 500 && !ctx.req.readableAborted) logger.error({ err: error, path: ctx.path }, 'page failed')
    if (isPartial(ctx)) {
      // Every answer is swapped, refusals too: this one stands beside the content, which stays as it was.
      ctx.set({ 'hx-retarget': '#notice', 'hx-reswap': 'innerHTML', 'hx-reselect': '#failure' })
      sendHtml(
        ctx,
        failure.status,
        html`<div id="failure"><div class="failed"><p><b>${failure.title}.</b> ${failure.lead}</p></div></div>`.html,
      )
      return
    }
    const { status, ...words } = failure
    sendHtml(ctx, status, await frameOf(ctx, view, { ...words, live: 'none' }))
  }

  /** Runs a step with the view of its reader. What fails is shown in the frame of the console; a token that ended meanwhile leads to the sign-in. */
  const withView = (step: (ctx: Context, view: View) => Promise<void>) => async (ctx: Context) => {
    const view = await openView(ctx)
    if (view === null) return
    try {
      await step(ctx, view)
    } catch (error) {
      if (isProblem(error) && error.status === 401) toSignIn(ctx)
      else await showFailure(ctx, view, error)
    }
  }

  return { frameOf, showFailure, withView }
}
