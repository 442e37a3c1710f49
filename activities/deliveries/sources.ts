import type { Settings } from '../../schemas/settings.ts'
import type { Fetches } from '../outbound/clients.ts'
import { createArticleDeliveries } from './article-reader.ts'
import { createPullRequestDeliveries } from './pull-request-reader.ts'

/** Creates the readers of a process. */
export const createDeliverySources = ({ settings, fetches }: { settings: Settings; fetches: Fetches }) => {
  const { codehost, encyclopedia } = fetches
  return {
    readPullRequestDelivery: createPullRequestDeliveries({ settings, fetch: codehost }),
    readArticleDelivery: createArticleDeliveries({ settings, fetch: encyclopedia }),
  }
}
