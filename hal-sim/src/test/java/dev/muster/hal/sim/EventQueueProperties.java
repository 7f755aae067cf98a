package dev.muster.hal.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/** Holds the event queue against a plain list. */
class EventQueueProperties {
  private record Event(int slot, long time, int sequence) {}

  @Property
  void agreesWithASortedList(
      @ForAll @Size(max = 1_500) List<@IntRange(max = 3_000_000) Integer> commands) {
    EventQueue queue = new EventQueue();
    List<Event> model = new ArrayList<>();
    int sequence = 0;
    for (int command : commands) {
      int slot = command % 700;
      long time = command / 700;
      model.sort(Comparator.comparingLong(Event::time).thenComparingInt(Event::sequence));
      assertThat(queue.nextTime())
          .isEqualTo(model.isEmpty() ? EventQueue.NEVER : model.get(0).time());
      switch (command % 5) {
        case 0 -> {
          if (!model.isEmpty()) {
            assertThat(queue.take()).isEqualTo(model.remove(0).slot());
          }
        }
        case 1 -> {
          queue.cancel(slot);
          model.removeIf(event -> event.slot() == slot);
        }
        default -> {
          queue.schedule(slot, time);
          model.removeIf(event -> event.slot() == slot);
          model.add(new Event(slot, time, sequence++));
        }
      }
      assertThat(queue.isPending(slot))
          .isEqualTo(model.stream().anyMatch(event -> event.slot() == slot));
    }
  }
}
