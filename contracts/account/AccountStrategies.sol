// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.36;

import {AccountBase} from "./AccountBase.sol";
import {
    IAsyncStrategyAdapter, IStrategyAdapter, StrategyMetadata
} from "../lib/StrategyInterfaces.sol";

/// @notice Idle funds in yield sources that answer at once.
abstract contract AccountStrategies is AccountBase {
    event StrategyAllocated(
        address indexed account, bytes32 indexed strategyId, address indexed asset, uint256 amount
    );
    event StrategyDeallocated(
        address indexed account, bytes32 indexed strategyId, address indexed asset, uint256 amount
    );

    error InvalidStrategy();

    mapping(address account => mapping(bytes32 strategyId => uint256)) public strategyShares;
    /// @notice The last marked value of an account's shares.
    mapping(address account => mapping(bytes32 strategyId => uint256)) public strategyAllocationValues;

    /// @notice Puts spendable funds of an account into a yield source.
    function allocateIdleFunds(address account, bytes32 strategyId, uint256 amount)
        external
        nonReentrant
        whenNotPaused
        onlyAccountOrSettlementBroker(account)
    {
        if (amount == 0) revert ZeroAmount();
        StrategyMetadata memory strategy = _strategy(strategyId, false);
        _spend(account, strategy.asset, amount);
        _approveExactly(strategy.asset, strategy.adapter, amount);
        strategyShares[account][strategyId] += IStrategyAdapter(strategy.adapter).deposit(amount);
        _remark(account, strategyId, strategy.adapter, strategy.asset);
        emit StrategyAllocated(account, strategyId, strategy.asset, amount);
    }

    /// @notice Takes funds of an account out of a yield source; shares are burnt rounded up.
    function deallocateIdleFunds(address account, bytes32 strategyId, uint256 amount)
        external
        nonReentrant
        whenNotPaused
        onlyAccountOrSettlementBroker(account)
    {
        if (amount == 0) revert ZeroAmount();
        StrategyMetadata memory strategy = _strategy(strategyId, false);
        uint256 owned = strategyShares[account][strategyId];
        if (_valueOf(strategy.adapter, owned) < amount) revert InsufficientLiquidity();
        uint256 burned = _sharesFor(strategy.adapter, amount);
        if (burned > owned) burned = owned;
        strategyShares[account][strategyId] = owned - burned;
        uint256 returned = IStrategyAdapter(strategy.adapter).withdraw(burned, address(this));
        positions[account][strategy.asset].liquid += returned;
        _remark(account, strategyId, strategy.adapter, strategy.asset);
        emit StrategyDeallocated(account, strategyId, strategy.asset, amount);
    }

    function _strategy(bytes32 strategyId, bool asynchronous) internal view returns (StrategyMetadata memory strategy) {
        strategy = registry.getStrategy(strategyId);
        if (strategy.adapter == address(0) || !strategy.active) revert InvalidStrategy();
        if (_isAsynchronous(strategy.adapter) != asynchronous) revert InvalidStrategy();
    }

    /// @dev Marks the allocation of an account to what its shares are worth now.
    function _remark(address account, bytes32 strategyId, address adapter, address asset) internal {
        uint256 previous = strategyAllocationValues[account][strategyId];
        uint256 current = _valueOf(adapter, strategyShares[account][strategyId]);
        strategyAllocationValues[account][strategyId] = current;
        Position storage position = positions[account][asset];
        position.strategyAllocated = position.strategyAllocated - previous + current;
    }

    function _valueOf(address adapter, uint256 shares) private view returns (uint256) {
        uint256 total = IStrategyAdapter(adapter).totalShares();
        return total == 0 ? 0 : shares * IStrategyAdapter(adapter).totalAssets() / total;
    }

    function _sharesFor(address adapter, uint256 amount) private view returns (uint256) {
        uint256 assets = IStrategyAdapter(adapter).totalAssets();
        return (amount * IStrategyAdapter(adapter).totalShares() + assets - 1) / assets;
    }

    function _isAsynchronous(address adapter) private view returns (bool) {
        (bool ok, bytes memory answer) =
            adapter.staticcall(abi.encodeCall(IAsyncStrategyAdapter.pendingDepositAssets, ()));
        return ok && answer.length == 32;
    }
}
