import type { Settings } from '../../schemas/settings.ts'
import { createFetches } from '../outbound/clients.ts'
import { createArticleDeliveries } from './article-reader.ts'
import { createPullRequestDeliveries } from './pull-request-reader.ts'

/** Creates the readers of a process, each with its own guarded fetch. */
export const createDeliverySources = (settings: Settings) => {
  const { codehost, encyclopedia } = createFetches(settings)
  return {
    readPullRequestDelivery: createPullRequestDeliveries({ settings, fetch: codehost }),
    readArticleDelivery: createArticleDeliveries({ settings, fetch: encyclopedia }),
  }
}
