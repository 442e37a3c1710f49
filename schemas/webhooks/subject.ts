import { subject } from '../subject.ts'
import { settings } from './settings.ts'

export const webhooks = subject({
  name: 'webhooks',
  buildsOn: ['event-stream', 'outbound'],
  entities: () => import('./entities.ts'),
  operations: () => import('./operations.ts'),
  settings,
})
