import { randomUUID } from 'node:crypto'
import type Router from '@koa/router'
import type { Context } from 'koa'
import { isProblem } from '../../client/src/index.ts'
import { html } from '../../pages/html.ts'
import { redirect, sendHtml } from '../http/answers.ts'
import { describeFailure, NoPage, Refusal } from '../http/failures.ts'
import { readForm } from '../http/form.ts'
import { takeNotice } from '../http/notice.ts'
import type { RouteDeps } from '../http/readers.ts'
import { doneCookie } from '../session/cookie.ts'
import type { View } from '../view.ts'
import { type Action, actionForm, isAllowed, repeatForm, type Sent } from './action.ts'
import { ACTIONS } from './all.ts'

const findAction = (ctx: Context, view: View): Action => {
  const action = ACTIONS.find(({ name }) => name === ctx.params.name)
  if (action === undefined || !isAllowed(view, action) || action.subject.some((member) => !view.query[member])) throw new NoPage()
  return action
}

const UNKNOWN = 'Whether it acted is unknown. Send the same form again: its key lets it act once, however often it is sent.'

/** Actions: GET shows what one would do, POST does it. */
export const addActions = (router: Router, { settings, logger, readers }: RouteDeps): void => {
  const { frameOf, withView } = readers

  /** The form of an action. After a failure it has the same key and what was typed; a form that may have acted is never lost. */
  const showAction = async (
    ctx: Context,
    view: View,
    action: Action,
    form: { sent: Sent; key: string; failed?: unknown },
  ): Promise<void> => {
    const { failed, ...typed } = form
    const failure = failed === undefined ? undefined : describeFailure(failed)
    const place = { ...typed, to: ctx.url }
    const isUnknown = failure !== undefined && failure.status >= 500
    const preview = await action.preview(view).catch((error: unknown) => {
      if (failure === undefined) throw error
      return null
    })
    const words = isUnknown ? UNKNOWN : (failure?.lead ?? '')
    const notice =
      failure === undefined
        ? takeNotice(ctx)
        : html`<div class="failed" role="alert"><p><b>${failure.title}.</b> ${words}</p>${isUnknown ? '' : failure.body}</div>`
    const body = preview === null ? repeatForm(place) : actionForm(action, preview, place)
    const frame = { title: action.title, lead: preview?.lead, body, live: 'none' as const, notice }
    sendHtml(ctx, failure?.status ?? 200, await frameOf(ctx, view, frame))
  }

  router.get(
    '/do/:name',
    withView(async (ctx, view) => showAction(ctx, view, findAction(ctx, view), { sent: {}, key: randomUUID() })),
  )
  router.post(
    '/do/:name',
    withView(async (ctx, view) => {
      const { key = '', ...sent } = await readForm(ctx, settings.url)
      const action = findAction(ctx, view)
      if (!/^[0-9a-f-]{36}$/.test(key)) throw new Refusal(400, 'The form has no key. Open it again.')
      try {
        if (!action.hasNoReason && !sent.reason?.trim()) throw new Refusal(400, 'The form lacks its reason.')
        const outcome = await action.run(view, sent, key)
        if ('to' in outcome) {
          ctx.append('set-cookie', doneCookie(action.name))
          redirect(ctx, outcome.to)
        } else sendHtml(ctx, 200, await frameOf(ctx, view, { ...outcome, live: 'none' }))
      } catch (error) {
        if (isProblem(error) && error.status === 401) throw error
        const isRefusal = isProblem(error) || error instanceof Refusal
        logger[isRefusal ? 'info' : 'error']({ err: error, action: action.name }, 'action not done')
        await showAction(ctx, view, action, { sent, key, failed: error })
      }
    }),
  )
}
