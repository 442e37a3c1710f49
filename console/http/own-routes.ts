import type Router from '@koa/router'
import { redirect, sendHtml } from '../http/answers.ts'
import { ASSETS } from '../http/assets.ts'
import { NoPage } from '../http/failures.ts'
import { readForm } from '../http/form.ts'
import { createTimePage } from '../pages/time.ts'
import { createSignIn } from '../session/handlers.ts'
import type { RouteDeps } from './readers.ts'

/** The time of a local stack. */
export const addTime = (router: Router, { settings, clock, readers: { frameOf, withView } }: RouteDeps): void => {
  const time = createTimePage(clock)
  if (time === null) return
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

/** Sign-in and its end. */
export const addSignIn = (router: Router, { settings, clock, readers: { frameOf } }: RouteDeps): void => {
  const signIn = createSignIn(settings, clock.now, async (ctx, page) =>
    sendHtml(ctx, 200, await frameOf(ctx, null, { ...page, live: 'none', usesWallet: true })),
  )
  router.get('/sign-in', signIn.show)
  router.post('/sign-in/message', signIn.issueMessage)
  router.post('/sign-in/verify', signIn.verify)
  router.post('/sign-in/token', signIn.takeToken)
  router.post('/sign-out', signIn.end)
}

/** Files of the pages, and the sign that the process lives. */
export const addFiles = (router: Router): void => {
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
}
