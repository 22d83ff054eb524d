import { getRouteApi } from '@tanstack/react-router';
import { useCallback } from 'react';
import { useRead } from '../queries.ts';
import { Answered } from '../ui/answered.tsx';
import { Empty } from '../ui/notice.tsx';
import { Section } from '../ui/page.tsx';
import { SearchField } from '../ui/search-field.tsx';
import { Toolbar } from '../ui/toolbar.tsx';
import { ModelTable } from './model-catalogue.tsx';
import { OwnProviders } from './settings-providers.tsx';

const route = getRouteApi('/inside/settings/settings/models');

export function SettingsModels() {
  const { open, search } = route.useSearch();
  const navigate = route.useNavigate();
  const { data: me } = useRead('get_me', {});
  const models = useRead('list_models', { query: search ? { search } : {} });
  const find = useCallback(
    (words: string) =>
      void navigate({ search: (old) => ({ ...old, search: words || undefined }), replace: true }),
    [navigate],
  );
  return (
    <>
      {me?.role === 'admin' && (
        <OwnProviders
          open={open}
          onOpen={(what) => void navigate({ search: (old) => ({ ...old, open: what }) })}
        />
      )}
      <Section title="Catalogue">
        <Toolbar>
          <SearchField label="Search models" value={search ?? ''} onSearch={find} />
          <p className="hint">US dollars per million tokens. A model without a price costs an unknown sum.</p>
        </Toolbar>
        <Answered of={models}>
          {(all) =>
            all.length === 0 ? (
              <Empty>
                {search ? 'No model has these letters in its name.' : 'The operator has listed no model yet.'}
              </Empty>
            ) : (
              <ModelTable of={all} />
            )
          }
        </Answered>
      </Section>
    </>
  );
}
