import { subject } from '../subject.ts'
import { settings } from './settings.ts'

export const verification = subject({
  name: 'verification',
  buildsOn: ['pull-requests', 'reputation'],
  entities: () => import('./entities.ts'),
  operations: () => import('./operations.ts'),
  settings,
})
