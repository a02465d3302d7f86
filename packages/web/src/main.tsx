import '@fontsource-variable/geist'
import '@fontsource-variable/geist-mono'
import './theme/tokens.css'
import './theme/base.css'
import { CSPProvider } from '@base-ui/react/csp-provider'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { ErrorBoundary } from './kit/error-boundary.tsx'
import { Toasts } from './kit/toast.tsx'
import { openQueryClient } from './api/query-client.ts'
import { Problem } from './problem.ts'
import { openRouter } from './routes.tsx'

const queries = openQueryClient()
const router = openRouter(queries)
const root = document.getElementById('root')
if (root)
  createRoot(root, {
    // What the console refuses is said in its place on the page; the browser's console is for faults of the page.
    onCaughtError: (error) => error instanceof Problem || console.error(error),
  }).render(
    <StrictMode>
      <CSPProvider disableStyleElements>
        <QueryClientProvider client={queries}>
          <Toasts>
            <ErrorBoundary>
              <RouterProvider router={router} />
            </ErrorBoundary>
          </Toasts>
        </QueryClientProvider>
      </CSPProvider>
    </StrictMode>,
  )
