import type { Context } from 'koa'

/** Whether htmx asks for an update of a page. */
export const isPartial = (ctx: Context): boolean => ctx.get('hx-request') === 'true'

/** Members of the query, each with its last value. */
export const queryOf = (ctx: Context): Record<string, string> =>
  Object.fromEntries(
    Object.entries(ctx.query).flatMap(([name, value]) => {
      const last = Array.isArray(value) ? value.at(-1) : value
      return last === undefined ? [] : [[name, last]]
    }),
  )

/** Where its reader is, to come back after a sign-in: the page of an update, or the page that is asked for. A form of an action opens again; another form that was sent is no place. */
export const placeOf = (ctx: Context): string | undefined => {
  if (!isPartial(ctx)) return ctx.method === 'GET' || ctx.path.startsWith('/do/') ? ctx.url : undefined
  const shown = URL.parse(ctx.get('hx-current-url'))
  return shown === null ? undefined : shown.pathname + shown.search
}

/** Answers with a page. */
export const sendHtml = (ctx: Context, status: number, text: string): void => {
  ctx.status = status
  ctx.type = 'text/html; charset=utf-8'
  ctx.body = text
}

/** Leads the reader to another page, also from an update. */
export const redirect = (ctx: Context, to: string): void => {
  if (isPartial(ctx)) {
    ctx.status = 204
    ctx.set('hx-redirect', to)
    return
  }
  ctx.status = 303
  ctx.set('location', to)
}
