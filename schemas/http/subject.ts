import { subject } from '../subject.ts'
import { settings } from './settings.ts'

export const http = subject({
  name: 'http',
  kind: 'technical',
  buildsOn: ['observability'],
  entities: () => import('./entities.ts'),
  settings,
})
