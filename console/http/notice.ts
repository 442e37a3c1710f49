import type { Context } from 'koa'
import { type Html, html } from '../../pages/html.ts'
import { ACTIONS } from '../actions/all.ts'
import { doneCookie, readDone } from '../session/cookie.ts'
import { isPartial } from './answers.ts'

/** What was done just before. Only a page that is opened says so, and once. */
export const takeNotice = (ctx: Context): Html | undefined => {
  const name = isPartial(ctx) ? undefined : readDone(ctx.get('cookie'))
  if (name === undefined) return undefined
  ctx.append('set-cookie', doneCookie())
  const action = ACTIONS.find((one) => one.name === name)
  return action && html`<p class="done" role="status">${action.done}</p>`
}
