import type Router from '@koa/router'
import { formatJson, OPERATIONS, type OperationId, type RequestId } from '../../client/src/index.ts'
import { address } from '../look/values.ts'
import { PAGES } from '../pages/all.ts'
import { searchAddress } from '../pages/search.ts'
import { redirect, sendHtml } from './answers.ts'
import { NoPage, Refusal } from './failures.ts'
import { followEvents } from './live.ts'
import { takeNotice } from './notice.ts'
import { pagesOf, type RouteDeps } from './readers.ts'

/** Operations whose answers can be read as JSON. */
const isReadable = (id: string): id is RequestId =>
  Object.hasOwn(OPERATIONS, id) && OPERATIONS[id as OperationId].method === 'GET' && OPERATIONS[id as OperationId].answers === undefined

/** Pages with their updates, their JSON and the search. */
export const addPages = (router: Router, { readers, logger, ending }: RouteDeps): void => {
  const { frameOf, withView } = readers
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

  router.get(
    '/raw/:operation',
    withView(async (ctx, view) => {
      const { operation = '' } = ctx.params
      if (!isReadable(operation) || !view.access.may(operation)) throw new NoPage()
      const answer = await view.client.call(operation, view.query as never).catch((error: unknown) => {
        // The client itself refuses what no request of the operation can hold.
        throw error instanceof TypeError ? new Refusal(400, error.message) : error
      })
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
    withView(async (ctx, view) => followEvents(ctx, view, { ending, logger })),
  )
}
