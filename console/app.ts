import { randomUUID } from 'node:crypto'
import Router from '@koa/router'
import Koa, { type Context } from 'koa'
import type { Logger } from 'pino'
import { formatJson, isProblem, OPERATIONS, type OperationId, type RequestId } from '../client/src/index.ts'
import { type Html, html } from '../pages/html.ts'
import { type Action, actionForm, isAllowed, type Sent } from './actions/action.ts'
import { ACTIONS } from './actions/all.ts'
import { createServiceClock } from './clock.ts'
import { ASSETS } from './http/assets.ts'
import { describeFailure, NoPage, Refusal } from './http/failures.ts'
import { readForm } from './http/form.ts'
import { followEvents } from './http/live.ts'
import { secureHeaders } from './http/security.ts'
import { type Frame, layout } from './look/layout.ts'
import { address } from './look/values.ts'
import { PAGES } from './pages/all.ts'
import { searchAddress } from './pages/search.ts'
import { createTimePage } from './pages/time.ts'
import { doneCookie, dropCookie, keepCookie, readCookie, readDone } from './session/cookie.ts'
import { createSignIn } from './session/handlers.ts'
import { openSession } from './session/open.ts'
import type { Settings } from './settings.ts'
import type { Page, View } from './view.ts'

export interface AppDeps {
  settings: Settings
  logger: Logger
  /** Aborts the streams when the process ends. */
  ending: AbortSignal
}

const isPartial = (ctx: Context): boolean => ctx.get('hx-request') === 'true'

const queryOf = (ctx: Context): Record<string, string> =>
  Object.fromEntries(
    Object.entries(ctx.query).flatMap(([name, value]) => {
      const last = Array.isArray(value) ? value.at(-1) : value
      return last === undefined ? [] : [[name, last]]
    }),
  )

/** Where its reader is, to come back after a sign-in: the page of an update, or the page that is asked for. A form that was sent is no place. */
const placeOf = (ctx: Context): string | undefined => {
  if (!isPartial(ctx)) return ctx.method === 'GET' ? ctx.url : undefined
  const shown = URL.parse(ctx.get('hx-current-url'))
  return shown === null ? undefined : shown.pathname + shown.search
}

const sendHtml = (ctx: Context, status: number, text: string): void => {
  ctx.status = status
  ctx.type = 'text/html; charset=utf-8'
  ctx.body = text
}

const redirect = (ctx: Context, to: string): void => {
  if (isPartial(ctx)) {
    ctx.status = 204
    ctx.set('hx-redirect', to)
    return
  }
  ctx.status = 303
  ctx.set('location', to)
}

/** Pages that a reader has: those whose operations the API allows. */
const pagesOf = ({ access }: Pick<View, 'access'>): Page[] => PAGES.filter(({ operations }) => operations.every(access.may))

/** Operations whose answers can be read as JSON. */
const isReadable = (id: string): id is RequestId =>
  Object.hasOwn(OPERATIONS, id) && OPERATIONS[id as OperationId].method === 'GET' && OPERATIONS[id as OperationId].answers === undefined

/** The console as a Koa application. It holds no data: every page calls the API with the token of its reader. */
export const createApp = ({ settings, logger, ending }: AppDeps): Koa => {
  const clock = createServiceClock(settings)
  const app = new Koa()
  const router = new Router()

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
    const toSignIn = (): null => {
      ctx.append('set-cookie', dropCookie())
      redirect(ctx, address('/sign-in', { next: placeOf(ctx) }))
      return null
    }
    const token = readCookie(ctx.get('cookie'))
    if (token === undefined) return toSignIn()
    const now = await clock.now()
    try {
      const { client, access, renewed } = await openSession(settings, token, now, true)
      if (renewed) ctx.append('set-cookie', keepCookie(renewed.token, (Date.parse(renewed.expiresAt) - now) / 1000))
      return { client, access, settings, path: ctx.path, query: queryOf(ctx), now }
    } catch (error) {
      if (isProblem(error) && error.status === 401) return toSignIn()
      throw error
    }
  }

  const showFailure = async (ctx: Context, view: View | null, error: unknown): Promise<void> => {
    const failure = describeFailure(error)
    if (failure.status >= 500) logger.error({ err: error, path: ctx.path }, 'page failed')
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
      if (isProblem(error) && error.status === 401) {
        ctx.append('set-cookie', dropCookie())
        redirect(ctx, address('/sign-in', { next: placeOf(ctx) }))
        return
      }
      await showFailure(ctx, view, error)
    }
  }

  /** What was done just before. Only a page that is opened says so, and once. */
  const takeNotice = (ctx: Context): Html | undefined => {
    const name = isPartial(ctx) ? undefined : readDone(ctx.get('cookie'))
    if (name === undefined) return undefined
    ctx.append('set-cookie', doneCookie())
    const action = ACTIONS.find((one) => one.name === name)
    return action && html`<p class="done" role="status">${action.done}</p>`
  }

  for (const page of PAGES)
    router.get(
      page.path,
      withView(async (ctx, view) => {
        if (!page.operations.every(view.access.may)) throw new NoPage()
        const { live = 'all', raw, ...content } = await page.show(view)
        const json = raw && address(`/raw/${raw.operation}`, raw.input)
        sendHtml(ctx, 200, await frameOf(ctx, view, { ...content, live, raw: json, notice: takeNotice(ctx) }))
      }),
    )

  const findAction = (ctx: Context, view: View): Action => {
    const action = ACTIONS.find(({ name }) => name === ctx.params.name)
    if (action === undefined || !isAllowed(view, action) || action.subject.some((member) => !view.query[member])) throw new NoPage()
    return action
  }

  const showAction = async (ctx: Context, view: View, action: Action, sent: Sent, key: string, failed?: unknown): Promise<void> => {
    const preview = await action.preview(view)
    const failure = failed === undefined ? undefined : describeFailure(failed)
    const notice = failure && html`<div class="failed" role="alert"><p><b>${failure.title}.</b> ${failure.lead}</p>${failure.body}</div>`
    const body = actionForm(action, preview, { to: ctx.url, key, sent })
    sendHtml(ctx, failure?.status ?? 200, await frameOf(ctx, view, { title: action.title, lead: preview.lead, body, live: 'none', notice }))
  }

  router.get(
    '/do/:name',
    withView(async (ctx, view) => showAction(ctx, view, findAction(ctx, view), {}, randomUUID())),
  )
  router.post(
    '/do/:name',
    withView(async (ctx, view) => {
      const { key = '', required = '', ...sent } = await readForm(ctx, settings.url)
      const action = findAction(ctx, view)
      if (!/^[0-9a-f-]{36}$/.test(key)) throw new Refusal(400, 'The form has no key. Open it again.')
      try {
        const empty = required.split(',').filter((name) => name !== '' && !sent[name]?.trim())
        if (empty.length > 0) throw new Refusal(400, `The form lacks: ${empty.join(', ')}.`)
        const outcome = await action.run(view, sent, key)
        if ('to' in outcome) {
          ctx.append('set-cookie', doneCookie(action.name))
          redirect(ctx, outcome.to)
        } else sendHtml(ctx, 200, await frameOf(ctx, view, { ...outcome, live: 'none' }))
      } catch (error) {
        if (isProblem(error) && error.status === 401) throw error
        logger.info({ err: error, action: action.name }, 'action refused')
        await showAction(ctx, view, action, sent, key, error)
      }
    }),
  )

  router.get(
    '/raw/:operation',
    withView(async (ctx, view) => {
      const { operation = '' } = ctx.params
      if (!isReadable(operation) || !view.access.may(operation)) throw new NoPage()
      const answer = await view.client.call(operation, view.query as never)
      ctx.type = 'application/json; charset=utf-8'
      ctx.body = formatJson(answer, 2)
    }),
  )

  router.get(
    '/search',
    withView(async (ctx, view) =>
      redirect(
        ctx,
        searchAddress(view.query.q ?? '', (path) => pagesOf(view).some((page) => page.path === path)),
      ),
    ),
  )

  router.get(
    '/live',
    withView(async (ctx, view) => followEvents(ctx, view, ending)),
  )

  const time = createTimePage(clock)
  if (time !== null) {
    router.get(
      '/time',
      withView(async (ctx, view) => sendHtml(ctx, 200, await frameOf(ctx, view, time.show(view)))),
    )
    router.post(
      '/time',
      withView(async (ctx, view) => {
        await time.move(view, await readForm(ctx, settings.url))
        redirect(ctx, '/time')
      }),
    )
  }

  const signIn = createSignIn(settings, clock.now, async (ctx, page) =>
    sendHtml(ctx, 200, await frameOf(ctx, null, { ...page, live: 'none', usesWallet: true })),
  )
  router.get('/sign-in', signIn.show)
  router.post('/sign-in/message', signIn.issueMessage)
  router.post('/sign-in/verify', signIn.verify)
  router.post('/sign-in/token', signIn.takeToken)
  router.post('/sign-out', signIn.end)

  router.get('/health/live', (ctx) => {
    ctx.body = { live: true }
  })
  router.get('/assets/:version/:name', (ctx) => {
    const asset = ASSETS.get(ctx.path)
    if (asset === undefined) throw new NoPage()
    ctx.type = `${asset.type}; charset=utf-8`
    ctx.set('cache-control', 'public, max-age=31536000, immutable')
    ctx.body = asset.text
  })

  app.use(secureHeaders)
  app.use(async (ctx, next) => {
    try {
      await next()
      if (ctx.status === 404 && ctx.body === undefined) throw new NoPage()
    } catch (error) {
      await showFailure(ctx, null, error)
    }
  })
  app.use(router.routes())
  app.on('error', (error: NodeJS.ErrnoException) => {
    // The reader left before the end of the answer, as the reader of a live page always does.
    if (error.code === 'ERR_STREAM_PREMATURE_CLOSE') logger.debug({ err: error }, 'reader left')
    else logger.error({ err: error }, 'request failed')
  })
  return app
}
