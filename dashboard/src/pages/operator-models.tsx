import { getRouteApi } from '@tanstack/react-router';
import { ModelForm } from '../forms/model.tsx';
import { useOperatorRead } from '../operator.ts';
import { visible } from '../rules/visible-text.ts';
import { Answered } from '../ui/answered.tsx';
import { Button } from '../ui/button.tsx';
import { Empty } from '../ui/notice.tsx';
import { Page } from '../ui/page.tsx';
import { Pager } from '../ui/table.tsx';
import { ModelTable } from './model-catalogue.tsx';

const PER_PAGE = 100;

const route = getRouteApi('/operator/operator/models');

export function OperatorModels() {
  const { page = 1, open } = route.useSearch();
  const navigate = route.useNavigate();
  const list = useOperatorRead('list_operator_models', { query: { page, per_page: PER_PAGE } });
  const openAs = (what: string | undefined) => void navigate({ search: (old) => ({ ...old, open: what }) });
  const opened = list.data?.items.find(({ id }) => id === open);
  const change = {
    name: '',
    end: true,
    cell: ({ id, display_name }: { id: string; display_name: string }) => (
      <Button small onClick={() => openAs(id)}>
        Change<span className="vh"> {visible(display_name)}</span>
      </Button>
    ),
  };
  return (
    <Page
      title="Models"
      name="Models · Operator"
      sub="The catalogue of all tenants. US dollars per million tokens; without a price, a call’s cost stays unknown."
      actions={
        <Button look="primary" icon="plus" onClick={() => openAs('new')}>
          Model
        </Button>
      }
    >
      <Answered of={list}>
        {({ items, total }) =>
          total === 0 ? (
            <Empty
              action={<Button onClick={() => openAs('new')}>Add the first</Button>}
              command="agentctl models import --file models.json"
            >
              The catalogue is empty.
            </Empty>
          ) : (
            <>
              <ModelTable of={items} extra={change} />
              <Pager
                page={page}
                perPage={PER_PAGE}
                total={total}
                onPage={(to) => void navigate({ search: (old) => ({ ...old, page: to }) })}
              />
            </>
          )
        }
      </Answered>
      {(open === 'new' || opened) && <ModelForm of={opened} onClose={() => openAs(undefined)} />}
    </Page>
  );
}
