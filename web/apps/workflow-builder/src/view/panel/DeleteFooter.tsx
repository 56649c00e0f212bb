import { Button } from "@quintain/kit";
import { Trash2 } from "lucide-react";

/** The button at the foot of the panel that deletes what is selected. */
export function DeleteFooter({ words, onDelete }: { words: string; onDelete: () => void }) {
  return (
    <div className="panel-foot">
      <Button look="danger" geo="panel/delete" onPress={onDelete}>
        <Trash2 size={15} aria-hidden="true" />
        {words}
      </Button>
    </div>
  );
}
