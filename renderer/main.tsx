import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app';
import { openBridge } from './bridge';
import './styles/tokens.css';
import './styles/base.css';
import './styles/marks.css';
import './styles/connections.css';
import './styles/connection.css';
import './styles/inbox.css';
import './styles/restore.css';
import './styles/forms.css';
import './styles/history.css';
import './styles/small.css';

const root = document.getElementById('root');
if (root === null) throw new Error('the page has no root element');
createRoot(root).render(
  <StrictMode>
    <App bridge={openBridge()} />
  </StrictMode>,
);
