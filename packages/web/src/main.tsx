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
import { openRouter } from './routes.tsx'

const queries = openQueryClient()
const router = openRouter(queries)
const root = document.getElementById('root')
if (root)
  createRoot(root).render(
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
